import SwiftTreeSitter
import TreeSitterAmdgpu
import XCTest

final class TreeSitterAmdgpuTests: XCTestCase {
    func testParsesAKernel() throws {
        let parser = Parser()
        try parser.setLanguage(Language(language: tree_sitter_amdgpu()))
        let tree = try XCTUnwrap(parser.parse("kernel:\n  v_add_f32 v0, v1, v2\n  s_endpgm\n"))
        XCTAssertFalse(try XCTUnwrap(tree.rootNode).hasError)
    }
}

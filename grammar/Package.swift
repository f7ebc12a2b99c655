// swift-tools-version:5.3
import PackageDescription

let package = Package(
    name: "TreeSitterAmdgpu",
    products: [.library(name: "TreeSitterAmdgpu", targets: ["TreeSitterAmdgpu"])],
    dependencies: [.package(url: "https://github.com/tree-sitter/swift-tree-sitter", from: "0.25.0")],
    targets: [
        .target(
            name: "TreeSitterAmdgpu",
            path: ".",
            sources: ["src/parser.c", "src/scanner.c"],
            resources: [.copy("queries")],
            publicHeadersPath: "bindings/swift",
            cSettings: [.headerSearchPath("src")]
        ),
        .testTarget(
            name: "TreeSitterAmdgpuTests",
            dependencies: [.product(name: "SwiftTreeSitter", package: "swift-tree-sitter"), "TreeSitterAmdgpu"],
            path: "bindings/swift/TreeSitterAmdgpuTests"
        ),
    ],
    cLanguageStandard: .c11
)
